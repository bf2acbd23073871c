/** What a permit allows, chunk by chunk. Pure: time is handed in. */
@NullMarked
package io.eley.bb.api.permit;

import org.jspecify.annotations.NullMarked;
