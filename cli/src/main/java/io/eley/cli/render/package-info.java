/** What verbs print, made of what they were told: no I/O but the writer that is handed in. */
@NullMarked
package io.eley.cli.render;

import org.jspecify.annotations.NullMarked;
