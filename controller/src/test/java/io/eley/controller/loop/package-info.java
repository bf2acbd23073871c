/** Tests of the two loops, on virtual time and with nodes that do as they are told, or do not. */
@NullMarked
package io.eley.controller.loop;

import org.jspecify.annotations.NullMarked;
