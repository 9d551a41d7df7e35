// What hosts are made of, for hosts: layers and settings, without promises.
export * as Database from "./Database.js"
export { engine } from "./engine.js"
export { jsonLogger } from "./jsonLogger.js"
export { type LogEntry, type LogLevelName, logEntry } from "./LogEntry.js"
export * as NodePorts from "./NodePorts.js"
export * as Readers from "./Readers.js"
export * from "./Readiness.js"
export * from "./secretsReadable.js"
