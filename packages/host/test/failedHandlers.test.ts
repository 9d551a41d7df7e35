import { randomBytes } from "node:crypto"
import { describe, expect, it, vi } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import type { EventHandler, LogEntry } from "../src/index.js"
import { email, makeShop, withParley } from "./shop.js"

const parsing = () => JSON.parse("😀 hi")
const rejecting = (reason: unknown) => () => Promise.reject(reason)

/** Two errors that are the cause of each other. */
const circularError = (): Error => {
  const [one, other] = [new Error("one"), new Error("other")]
  one.cause = other
  other.cause = one
  return one
}

describe.each(databases)("the failure of a handler on %s", (_, storage) => {
  it.each<[string, EventHandler, unknown]>([
    ["half a character", parsing, expect.stringMatching(/^SyntaxError: Unexpected token/)],
    ["U+0000", rejecting(new Error("a\u0000b")), "Error: ab"],
    ["a character at the limit", rejecting(`${"a".repeat(499)}😀😀`), `${"a".repeat(499)}😀`],
    ["no text", rejecting(Object.create(null)), "The handler failed with a value that has no text."],
    ["an object that is no error", rejecting({ code: "E1" }), '{"code":"E1"}'],
    ["a symbol", rejecting(Symbol("full")), "Symbol(full)"],
    ["a circle of causes", rejecting(circularError()), "Error: one"]
  ])("is recorded and the event retried when its text has %s", (_, handle, error) =>
    withParley({ storage, secretKey: randomBytes(32).toString("base64"), logger: () => {} }, async (parley) => {
      const { applicationId: application } = await makeShop(parley)
      const attempts: Array<number> = []
      let delivery = ""
      await parley.on(
        "notes",
        "message.queued",
        (event, { attempt, deliveryId, ...rest }) => {
          attempts.push(attempt)
          delivery = deliveryId
          return attempt === 1 ? handle(event, { attempt, deliveryId, ...rest }) : undefined
        },
        { application }
      )
      await parley.as(application).messages.send(email("ada@acme.example"))
      await vi.waitFor(() => expect(attempts).toEqual([1, 2]), { timeout: 60_000, interval: 10 })
      await vi.waitFor(async () => {
        const { data } = await parley.admin.request<{ data: any }>("GET", `/webhook-deliveries/${delivery}`)
        expect(data).toMatchObject({ status: "delivered", attempts: [{ error }, { error: null }] })
      })
    })
  )
})

it("the failure of a handler is logged with its error", async () => {
  const logged: Array<LogEntry> = []
  await withParley({ logger: (entry) => void logged.push(entry) }, async (parley) => {
    const { applicationId: application } = await makeShop(parley)
    const failures: ReadonlyArray<() => unknown> = [
      () => {
        throw new Error("no such order", { cause: new Error("the table is missing") })
      },
      () => Promise.reject("no text of an error")
    ]
    const deliveries = new Set<string>()
    const handled = new Promise<void>((resume) => {
      const handler: EventHandler = (_, { attempt, deliveryId }) => {
        deliveries.add(deliveryId)
        return attempt > failures.length ? resume() : failures[attempt - 1]?.()
      }
      void parley.on("notes", "message.queued", handler, { application })
    })
    await vi.waitFor(async () => expect((await parley.admin.webhooks.list(application)).data).toHaveLength(1))
    await parley.as(application).messages.send(email("ada@acme.example"))
    await handled
    const [delivery_id] = deliveries
    expect(logged).toMatchObject([
      {
        level: "warn",
        message: "The handler of the subscription notes failed at attempt 1: Error: no such order",
        fields: { delivery_id },
        error: expect.stringMatching(/no such order.*failedHandlers\.test\.ts.*the table is missing/s)
      },
      {
        level: "warn",
        message: "The handler of the subscription notes failed at attempt 2: no text of an error",
        fields: { delivery_id },
        error: null
      }
    ])
  })
})
