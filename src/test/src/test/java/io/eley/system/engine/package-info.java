/** Eley's planner and controller over another engine's servers, in processes. */
package io.eley.system.engine;
