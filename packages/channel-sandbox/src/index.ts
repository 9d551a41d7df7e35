export * from "./SandboxProvider.js"
