/** Tests of fetching, against an origin in memory that can be told to fail in many ways. */
package io.eley.bb.server.fetch;
