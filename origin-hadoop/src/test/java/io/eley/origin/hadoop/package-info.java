/** Against real servers in this JVM: HDFS's, and an S3 server that checks signatures. */
@NullMarked
package io.eley.origin.hadoop;

import org.jspecify.annotations.NullMarked;
