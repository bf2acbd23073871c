@org.jspecify.annotations.NullUnmarked
package io.eley.controller.predict;
