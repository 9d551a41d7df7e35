export * as WorkerHost from "./WorkerHost.js"
