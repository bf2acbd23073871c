/** Tests of the node: its parts over fakes, and all of it in one JVM. */
package io.eley.bb.server.node;
