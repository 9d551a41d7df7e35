import { readFileSync, rmSync } from "node:fs"
import { basename } from "node:path"
import { rolldown } from "rolldown"
import { licensesOf } from "../../../.ci/licensesOf.js"
import { copySwaggerUi } from "../../../.ci/swaggerUi.js"
import { writeTypes } from "./types.js"

const { exports } = JSON.parse(readFileSync("package.json", "utf8"))
const entries = Object.fromEntries(
  Object.values<{ readonly "parley-source"?: string }>(exports).flatMap(({ "parley-source": file }) =>
    file === undefined ? [] : [[basename(file, ".ts"), file]]
  )
)

rmSync("dist", { recursive: true, force: true })
const bundle = await rolldown({
  // The program of the threads that parse mails stands beside the code that starts them.
  input: { ...entries, mailThread: "../channel-email/src/mailThread.ts" },
  platform: "node",
  // Drivers and SDKs that the service installs if it uses them, and the HTTP client, which has its own security
  // updates.
  external: /^(@aws-sdk|@opentelemetry|better-sqlite3|pg|pg-native|undici)(\/|$)/,
  resolve: { conditionNames: ["parley-source", "node", "default"] },
  transform: { target: "node20" },
  plugins: [licensesOf("THIRD-PARTY-LICENSES.txt")]
})
// CommonJS, which `import` loads too: ES modules and CommonJS of one process share the same engines and classes.
await bundle.write({
  dir: "dist",
  format: "cjs",
  entryFileNames: "[name].cjs",
  chunkFileNames: "[name]-[hash].cjs",
  // By `require`, also drivers: Jest has no `import()` without a flag of Node.
  dynamicImportInCjs: false,
  // The mail libraries, with all that they require, in a file of their own: bundlers of users take an entry that
  // contains CommonJS with default exports for such a module itself.
  codeSplitting: { groups: [{ name: "mail", test: /node_modules\/(nodemailer|mailparser|imapflow)\// }] }
})
await copySwaggerUi()
await writeTypes(entries, "dist")
