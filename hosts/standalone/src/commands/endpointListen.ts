import { createHmac, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { Options } from "@effect/cli"
import { Clock, Console, Effect, Runtime, Schema } from "effect"
import type { AdminClient } from "./AdminClient.js"
import { apiCommand, applicationOption, itemsOf, needed, option } from "./apiCommand.js"
import { CommandFailed } from "./CommandFailed.js"
import { runsAs } from "./CommandLifetime.js"

/** The accepted difference from the sender's clock, in s (docs/reference/webhooks.md#signature). */
const toleranceSeconds = 300

/** Runs a webhook receiver on this machine, registered as an endpoint until the command ends. */
export const listen = apiCommand(
  "listen",
  "Receive webhooks on this machine until Ctrl-C and check their signatures: prints one line for each, or the whole webhook with --json. Example: parley endpoint listen --events message.received,message.failed",
  {
    port: Options.integer("port").pipe(
      Options.withDescription("The port to listen on (default: a free port)"),
      Options.withDefault(0)
    ),
    events: option("events", "Event types, separated by commas (default: all)"),
    app: applicationOption
  },
  ({ app, events, port }, { client, json, target }) =>
    Effect.scoped(
      Effect.gen(function* () {
        yield* runsAs("follow")
        const application = yield* needed("app", app, target)
        const secret = { text: "" }
        const url = yield* receiver(port, (headers, body) => printed(json, secret.text, headers, body))
        const registered = yield* registration(client, application, url, itemsOf(events ?? "*"))
        secret.text = String(registered.secret)
        if (!json) yield* Console.log(`Receiving webhooks on ${url}. Ctrl-C ends it.\n`)
        return yield* Effect.never
      })
    )
)

const registration = (client: AdminClient, application: string, url: string, events: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    client.call("POST", `/applications/${encodeURIComponent(application)}/webhook-endpoints`, {
      url,
      events,
      description: "parley endpoint listen"
    }),
    ({ id }) => Effect.ignore(client.call("DELETE", `/webhook-endpoints/${id}`))
  )

type Headers = IncomingMessage["headers"]

/** Serves on loopback while the scope lives, and returns the URL. Every request is answered with 200. */
const receiver = (port: number, take: (headers: Headers, body: Buffer) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const runFork = Runtime.runFork(yield* Effect.runtime<never>())
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        response.end()
        runFork(take(request.headers, Buffer.concat(chunks)))
      })
    })
    yield* Effect.acquireRelease(
      Effect.async<void, CommandFailed>((resume) => {
        server.once("error", ({ message }) => resume(new CommandFailed({ message })))
        server.listen(port, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.sync(() => {
          server.close()
          server.closeAllConnections()
        })
    )
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  })

const printed = (json: boolean, secret: string, headers: Headers, body: Buffer) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const genuine = isGenuine(secret, headers, body, Math.floor(now / 1_000))
    const event = readEvent(body.toString("utf8"))
    if (json) return yield* Console.log(JSON.stringify({ signature: genuine ? "valid" : "invalid", event }))
    const [about, resource] = Object.entries(event.data)[0] ?? ["", null]
    const { body: text, id, name, status } = isResource(resource) ? resource : {}
    const verdict = genuine ? "signature valid" : "SIGNATURE NOT VALID"
    yield* Console.log(
      [event.created_at, event.type.padEnd(21), verdict, `${about} ${id}`, status ?? name, text]
        .filter((part) => part !== undefined && part !== null)
        .join("  ")
    )
  }).pipe(Effect.catchAllDefect(() => Console.error("Received a request that is not a webhook of Parley")))

const Event = Schema.Struct({
  type: Schema.String,
  created_at: Schema.String,
  data: Schema.Record({ key: Schema.String, value: Schema.Unknown })
})
const readEvent = Schema.decodeUnknownSync(Schema.parseJson(Event), { onExcessProperty: "preserve" })
const isResource = Schema.is(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

const isGenuine = (secret: string, headers: Headers, body: Buffer, now: number): boolean => {
  const timestamp = String(headers["x-webhook-timestamp"])
  const expected = createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex")
  const given = Buffer.from(String(headers["x-webhook-signature"]))
  const wanted = Buffer.from(`sha256=${expected}`)
  return (
    given.length === wanted.length &&
    timingSafeEqual(given, wanted) &&
    Math.abs(now - Number(timestamp)) <= toleranceSeconds
  )
}
