/** Tests of the ledger's file. */
package io.eley.coordinator.ledger;
