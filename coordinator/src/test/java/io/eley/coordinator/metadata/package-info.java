/** Tests of what is known of the origin's files. */
package io.eley.coordinator.metadata;
