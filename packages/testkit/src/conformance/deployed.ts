import { conformance } from "./conformance.js"

// Run by `command.ts`, with the deployment from the command line.
conformance("the deployment", JSON.parse(process.env.PARLEY_CONFORMANCE_DEPLOYMENT ?? "{}"))
