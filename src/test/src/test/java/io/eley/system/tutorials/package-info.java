/** What docs/tutorials has its readers type, typed. */
@NullMarked
package io.eley.system.tutorials;

import org.jspecify.annotations.NullMarked;
