import { parseArgs } from "node:util"
import { startVitest } from "vitest/node"
import type { Deployment } from "./World.js"

const usage = `Usage: npm run conformance -- --url <base URL> [--url <another host>] [--admin-token <token>]
  --url              base URL of a host, without /api/v1; requests alternate between several
  --admin-token      default: PARLEY_ADMIN_TOKEN of the environment
  --timeout          timeout of asynchronous effects in seconds: 30
  --receiver-host    address to listen on for webhooks: 127.0.0.1
  --receiver-port    default: any free port
  --receiver-url     URL by which the deployment reaches it, such as the https URL of a tunnel`

const option = { type: "string" } as const

const options = {
  help: { type: "boolean", short: "h" },
  url: { ...option, multiple: true },
  "admin-token": option,
  timeout: option,
  patience: option,
  "receiver-host": option,
  "receiver-port": option,
  "receiver-url": option
} as const

/** Prints why the command cannot run, if there is a reason, and the usage. */
const exitWithUsage = (code: 0 | 2, problem: string | null = null): never => {
  const output = code === 0 ? process.stdout : process.stderr
  output.write(`${problem === null ? "" : `${problem}\n`}${usage}\n`)
  process.exit(code)
}

const readArguments = () => {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    return exitWithUsage(2, error instanceof Error ? error.message : null)
  }
}

const readDeployment = (): Deployment => {
  const values = readArguments()
  if (values.help === true) exitWithUsage(0)
  const adminToken = values["admin-token"] ?? process.env.PARLEY_ADMIN_TOKEN
  if (values.url === undefined || adminToken === undefined) return exitWithUsage(2)
  const { "receiver-host": host, "receiver-port": port, "receiver-url": url } = values
  return {
    baseUrls: values.url,
    adminToken,
    // `--patience` is the former name.
    timeout: Number(values.timeout ?? values.patience ?? 30) * 1_000,
    receiver: {
      ...(host === undefined ? {} : { host }),
      ...(port === undefined ? {} : { port: Number(port) }),
      ...(url === undefined ? {} : { url })
    }
  }
}

process.env.PARLEY_CONFORMANCE_DEPLOYMENT = JSON.stringify(readDeployment())
const run = await startVitest("test", [], {
  config: false,
  watch: false,
  include: ["packages/testkit/src/conformance/deployed.ts"]
})
await run.close()
