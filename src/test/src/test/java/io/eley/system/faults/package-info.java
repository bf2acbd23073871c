/** What may break while a job reads. */
@NullMarked
package io.eley.system.faults;

import org.jspecify.annotations.NullMarked;
