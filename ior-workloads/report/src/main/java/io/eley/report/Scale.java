package io.eley.report;

/** Values onto a line of pixels. */
record Scale(double low, double high, double left, double right) {
  double at(double value) {
    return left + (right - left) * (value - low) / (high - low);
  }
}
