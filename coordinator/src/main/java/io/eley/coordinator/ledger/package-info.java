/** The ledger's file. */
@NullMarked
package io.eley.coordinator.ledger;

import org.jspecify.annotations.NullMarked;
