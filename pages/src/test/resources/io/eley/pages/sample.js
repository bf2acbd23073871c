'sample script';
