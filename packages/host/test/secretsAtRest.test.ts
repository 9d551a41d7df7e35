import { randomBytes } from "node:crypto"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, vi } from "@effect/vitest"
import { SandboxProvider } from "@parley/channel-sandbox"
import type { ChannelProvider } from "@parley/core"
import { adminQuery, freshPostgres } from "@parley/testkit/databases"
import { Effect, Schema, type Scope } from "effect"
import type { LogEntry, ParleyOptions } from "../src/index.js"
import { makeShop, sending, withParley } from "./shop.js"

/** A provider that requires credentials and records those it receives. */
const carrier = () => {
  const handed: Array<unknown> = []
  const provider: ChannelProvider = {
    ...SandboxProvider,
    kind: "carrier",
    credentials: Schema.Struct({ token: Schema.String }),
    send: (connection, credentials, message, now) => {
      handed.push(credentials)
      return SandboxProvider.send(connection, credentials, message, now)
    }
  }
  return { handed, provider }
}

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "parley-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** A database and all its content as stored on disk. */
interface Kept {
  readonly storage: { readonly url: string }
  readonly dump: () => Promise<string>
}

const databases: ReadonlyArray<readonly [string, Effect.Effect<Kept, never, Scope.Scope>]> = [
  [
    "sqlite",
    Effect.map(temporaryFolder, (folder) => ({
      storage: { url: `sqlite:${join(folder, "parley.db")}` },
      dump: async () => {
        const files = (await readdir(folder)).map((name) => readFile(join(folder, name), "latin1"))
        return (await Promise.all(files)).join("\n")
      }
    }))
  ],
  [
    "postgres",
    Effect.map(freshPostgres, (url) => {
      const query = (statement: string) => Effect.runPromise(adminQuery(url, statement))
      return {
        storage: { url },
        dump: async () => {
          const tables = await query("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
          const rows = tables.map(({ table_name }) => query(`SELECT t::text AS line FROM "${table_name}" AS t`))
          return (await Promise.all(rows))
            .flat()
            .map(({ line }) => line)
            .join("\n")
        }
      }
    })
  ]
]

/** A receiver that answers 500, so that attempts of all kinds are recorded. */
const receiver = Effect.map(
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<ReturnType<typeof createServer>>((resume) => {
          const server = createServer((_, response) => response.writeHead(500).end("not today"))
          server.listen(0, "127.0.0.1", () => resume(server))
        })
    ),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  ),
  (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
)

for (const [name, database] of databases) {
  describe(`a database in use, on ${name}`, () => {
    it.scopedLive(
      "contains no secret in plain text, nor do responses and the log",
      () =>
        Effect.gen(function* () {
          const { dump, storage } = yield* database
          const hook = yield* receiver
          const { handed, provider } = carrier()
          const log: Array<LogEntry> = []
          const adminToken = `admin-${randomBytes(16).toString("hex")}`
          const secretKey = randomBytes(32).toString("base64")
          const previous = randomBytes(32).toString("base64")
          const options: Partial<ParleyOptions> = {
            storage,
            secretKey,
            previousSecretKeys: [previous],
            adminToken,
            channels: [SandboxProvider, provider],
            webhooks: { allow: ["127.0.0.0/8"], allowHttp: true },
            logLevel: "trace",
            logger: (entry) => void log.push(entry)
          }
          const secrets: { [what: string]: string } = { adminToken, secretKey, previous }
          let answers = ""

          yield* Effect.promise(() =>
            withParley(options, async (parley) => {
              const { apiKey, applicationId, workspaceId } = await makeShop(parley)
              const call = async <Data = any>(method: string, path: string, body?: object): Promise<Data> => {
                const response = await parley.fetch(
                  new Request(`http://acme.example/admin/v1${path}`, {
                    method,
                    headers: {
                      authorization: `Bearer ${adminToken}`,
                      "content-type": "application/json",
                      // A response that shows a secret once must not be stored for replay.
                      "idempotency-key": randomBytes(8).toString("hex")
                    },
                    ...(body === undefined ? {} : { body: JSON.stringify(body) })
                  })
                )
                return ((await response.json()) as { readonly data: Data }).data
              }
              const listen = async (path: string) => {
                answers += JSON.stringify(await call("GET", path))
              }
              const application = `/applications/${applicationId}`
              secrets.apiKey = apiKey
              secrets.replacedKey = (await call("POST", `${application}/api-keys`)).key
              const oauth = await call("POST", `${application}/oauth-clients`)
              secrets.clientSecret = oauth.client_secret
              const token = await parley.fetch(
                new Request("http://acme.example/api/v1/oauth/token", {
                  method: "POST",
                  headers: { "content-type": "application/json" },
                  body: JSON.stringify({
                    grant_type: "client_credentials",
                    client_id: oauth.client_id,
                    client_secret: oauth.client_secret
                  })
                })
              )
              secrets.accessToken = ((await token.json()) as { readonly access_token: string }).access_token

              const endpoint = await call("POST", `${application}/webhook-endpoints`, { url: hook, events: ["*"] })
              secrets.firstSigningSecret = endpoint.secret
              secrets.signingSecret = (await call("POST", `/webhook-endpoints/${endpoint.id}/rotate-secret`)).secret

              secrets.firstCredential = randomBytes(16).toString("hex")
              secrets.credential = randomBytes(16).toString("hex")
              const input = { workspace_id: workspaceId, channel: "email", provider: "carrier", name: "Desk" }
              const credentials = { token: secrets.firstCredential }
              const connection = await call("POST", "/connections", { ...input, handle: "b@acme.example", credentials })
              answers += JSON.stringify(connection)
              const patch = { credentials: { token: secrets.credential } }
              answers += JSON.stringify(await call("PATCH", `/connections/${connection.id}`, patch))
              // Rejected values must not be shown either.
              const wrong = { ...input, handle: "c@acme.example", credentials: { token: [secrets.credential] } }
              answers += JSON.stringify(await call("POST", "/connections", wrong))
              await call("PATCH", application, { connection_ids: [connection.id] })
              const sent = await parley.fetch(sending(apiKey, "ada@acme.example"))
              expect(sent.status).toBe(202)
              const refused = await parley.fetch(sending(apiKey, "reject@acme.example"))
              expect(refused.status).toBe(502)
              answers += (await sent.text()) + (await refused.text())
              expect(handed[0]).toEqual({ token: secrets.credential })

              // Wait until everything is sent, attempted and recorded.
              await vi.waitFor(
                async () => {
                  const deliveries = await call("GET", `/webhook-endpoints/${endpoint.id}/deliveries?limit=100`)
                  expect(deliveries.filter((one: any) => one.attempt_count > 0).length).toBeGreaterThanOrEqual(4)
                },
                { timeout: 60_000, interval: 50 }
              )
              expect(await call("POST", "/secrets/rotate", {})).toMatchObject({ unreadable: 0 })
              const [delivery] = await call("GET", `/webhook-endpoints/${endpoint.id}/deliveries`)
              for (const path of [
                `${application}/api-keys`,
                `${application}/oauth-clients`,
                `${application}/webhook-endpoints`,
                `/webhook-endpoints/${endpoint.id}`,
                `/webhook-deliveries/${delivery.id}`,
                "/connections",
                `/connections/${connection.id}`,
                "/secrets",
                "/audit-log",
                "/request-log",
                "/notifications"
              ]) {
                await listen(path)
              }
            })
          )

          const found = yield* Effect.promise(dump)
          const logged = JSON.stringify(log)
          // Proves the search works: values that are not secret are found.
          expect(found).toContain("b@acme.example")
          expect(answers).toContain(hook)
          for (const [what, secret] of Object.entries(secrets)) {
            expect(secret, what).toMatch(/^.{16,}$/)
            // Also without its recognisable prefix.
            for (const text of [secret, secret.slice(-16)]) {
              expect(found.includes(text), `${what} in the database`).toBe(false)
              expect(answers.includes(text), `${what} in an answer`).toBe(false)
              expect(logged.includes(text), `${what} in the log`).toBe(false)
            }
          }
        }),
      60_000
    )
  })
}
