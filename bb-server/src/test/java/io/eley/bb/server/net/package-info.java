/** Tests of the frame server, and a plain blocking client that can also misbehave. */
package io.eley.bb.server.net;
