import { Effect } from "effect"
import { hosts } from "./host/run.js"
Effect.runFork(hosts.serve)
