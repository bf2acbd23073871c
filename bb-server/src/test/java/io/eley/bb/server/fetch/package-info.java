/** Tests of fetching, against an origin in memory that can be told to fail in many ways. */
@NullMarked
package io.eley.bb.server.fetch;

import org.jspecify.annotations.NullMarked;
