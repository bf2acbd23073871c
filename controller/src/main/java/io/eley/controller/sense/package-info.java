/** Carrier sense: our own reads of the origin tell whether somebody else loads it. Pure. */
@NullMarked
package io.eley.controller.sense;

import org.jspecify.annotations.NullMarked;
