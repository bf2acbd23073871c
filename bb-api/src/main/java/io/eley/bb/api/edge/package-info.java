/**
 * What comes from outside is checked here, once, where it enters: directories and files that we are
 * told to use, names that somebody has chosen, and texts that others have written. What is
 * remembered by such names is bounded.
 */
@NullMarked
package io.eley.bb.api.edge;

import org.jspecify.annotations.NullMarked;
