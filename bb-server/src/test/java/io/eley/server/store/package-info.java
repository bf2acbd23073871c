/** Tests of the block store. */
package io.eley.server.store;
