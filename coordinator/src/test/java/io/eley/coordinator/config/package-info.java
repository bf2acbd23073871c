/** Tests of the configuration. */
package io.eley.coordinator.config;
