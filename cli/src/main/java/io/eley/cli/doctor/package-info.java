/** What may keep a deployment from working here, or from seeing phases: a check each. */
@NullMarked
package io.eley.cli.doctor;

import org.jspecify.annotations.NullMarked;
