/** What newcomers try first. */
@NullMarked
package io.eley.system.demo;

import org.jspecify.annotations.NullMarked;
