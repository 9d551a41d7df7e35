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

const readDeployment = (): Deployment | null => {
  const { values } = parseArgs({
    options: {
      ...{ url: { ...option, multiple: true }, "admin-token": option, timeout: option, patience: option },
      ...{ "receiver-host": option, "receiver-port": option, "receiver-url": option }
    }
  })
  const adminToken = values["admin-token"] ?? process.env.PARLEY_ADMIN_TOKEN
  if (values.url === undefined || adminToken === undefined) return null
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

const deployment = readDeployment()
if (deployment === null) {
  process.stderr.write(`${usage}\n`)
  process.exit(2)
}
process.env.PARLEY_CONFORMANCE_DEPLOYMENT = JSON.stringify(deployment)
const run = await startVitest("test", [], {
  config: false,
  watch: false,
  include: ["packages/testkit/src/conformance/deployed.ts"]
})
await run.close()
