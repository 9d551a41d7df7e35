import { parseArgs } from "node:util"
import { startVitest } from "vitest/node"
import type { Deployment } from "./World.js"

const usage = `Usage: npm run conformance -- --url <base URL> [--url <another host>] [--admin-token <token>]
  --url              where a host is, without /api/v1; requests go to several in turn
  --admin-token      PARLEY_ADMIN_TOKEN of the environment where it is left out
  --patience         seconds that asynchronous things may take: 30
  --receiver-host    where to listen for webhooks: 127.0.0.1
  --receiver-port    any that is free
  --receiver-url     how the deployment reaches that, such as the https URL of a tunnel`

const option = { type: "string" } as const

const readDeployment = (): Deployment | null => {
  const { values } = parseArgs({
    options: {
      ...{ url: { ...option, multiple: true }, "admin-token": option, patience: option },
      ...{ "receiver-host": option, "receiver-port": option, "receiver-url": option }
    }
  })
  const adminToken = values["admin-token"] ?? process.env.PARLEY_ADMIN_TOKEN
  if (values.url === undefined || adminToken === undefined) return null
  const { "receiver-host": host, "receiver-port": port, "receiver-url": url } = values
  return {
    baseUrls: values.url,
    adminToken,
    timeout: Number(values.patience ?? 30) * 1_000,
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
