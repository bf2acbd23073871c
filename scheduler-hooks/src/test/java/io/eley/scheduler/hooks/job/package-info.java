@org.jspecify.annotations.NullUnmarked
package io.eley.scheduler.hooks.job;
