/** Tests of the module as a whole. */
package io.eley.prefetcher;
