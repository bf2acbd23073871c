@org.jspecify.annotations.NullUnmarked
package io.eley.local.deployment;
