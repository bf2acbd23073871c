/** Tests of the coordinator. */
package io.eley.coordinator;
