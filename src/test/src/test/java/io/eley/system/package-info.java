/** What the system tests share. */
@NullMarked
package io.eley.system;

import org.jspecify.annotations.NullMarked;
