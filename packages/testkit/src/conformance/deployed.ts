import { conformance } from "./conformance.js"

// What `command.ts` runs: the deployment is what the command line says.
conformance("the deployment", JSON.parse(process.env.PARLEY_CONFORMANCE_DEPLOYMENT ?? "{}"))
