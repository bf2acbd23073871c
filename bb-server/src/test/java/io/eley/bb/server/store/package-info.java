/** Tests of the block store. */
package io.eley.bb.server.store;
