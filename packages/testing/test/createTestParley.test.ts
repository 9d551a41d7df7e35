import { describe, expect, it } from "vitest"
import { createTestParley, type TestParley, type TestParleyOptions } from "../src/index.js"

const withShop = async (
  test: (shop: {
    readonly parley: TestParley
    readonly application: string
    readonly connection: string
  }) => Promise<void>,
  options: TestParleyOptions = {}
) => {
  await using parley = await createTestParley(options)
  const { applications, connections } = await parley.setup({
    workspace: { name: "Acme" },
    connections: { desk: { channel: "whatsapp", handle: "+4930123456" } },
    applications: {
      shop: {
        scopes: [
          "messages.send",
          "messages.read",
          "events.send",
          "contacts.read",
          "contacts.write",
          "webhooks.receive"
        ],
        connections: ["desk"]
      }
    }
  })
  await test({ parley, application: applications.shop.id, connection: connections.desk.id })
}

const ada = "+4915112345678"
const hello = (to = ada) => ({ channel: "whatsapp" as const, to, type: "text" as const, message: { body: "Hello" } })

/** Options of tests whose handlers fail many times, which is logged each time. */
const quiet = { logLevel: "error" } as const

describe("an engine in a test", () => {
  it("records what it sends", () =>
    withShop(async ({ application, connection, parley }) => {
      await parley.receive(connection, { from: ada, body: "Hi" })
      await parley.as(application).messages.send(hello())
      await parley.idle()
      expect(parley.sent).toMatchObject([
        { channel: "whatsapp", from: "+4930123456", to: ada, body: "Hello", attempt: 1, sentAt: parley.now() }
      ])
      parley.forget()
      expect(parley.sent).toEqual([])
    }))

  it("stands still until time is moved", () =>
    withShop(async ({ application, connection, parley }) => {
      await parley.receive(connection, { from: ada, body: "Hi" })
      const shop = parley.as(application)
      const { data } = await shop.messages.send(hello())
      const status = async () => (await shop.messages.get(data.message_id)).data.status
      await parley.idle()
      expect([await status(), parley.now()]).toEqual(["sent", new Date("2026-01-05T09:00:00Z")])
      await parley.advance(200)
      expect(await status()).toBe("delivered")
      await parley.advance("1 second")
      expect([await status(), parley.now()]).toEqual(["read", new Date("2026-01-05T09:00:01.200Z")])
    }))

  it("tries a webhook again when its time has come", () =>
    withShop(
      async ({ application, connection, parley }) => {
        await parley.admin.webhooks.create(application, {
          url: "https://shop.example/hooks",
          events: ["message.received"]
        })
        await parley.receive(connection, { from: ada, body: "Hi" })
        const minutes = () => parley.posted.map(({ postedAt }) => (postedAt.getTime() - startsAt) / 60_000)
        const startsAt = Date.parse("2026-01-05T09:00:00Z")
        expect(minutes()).toEqual([0])
        await parley.advance("8 hours")
        // A minute, 5, 15 and 60 minutes, 6 hours, each with the middle of the jitter; each first attempt by the
        // endpoint's settings.
        expect(minutes().map(Math.round)).toEqual([0, 1, 6, 22, 85, 463])
        expect(parley.posted[0]).toMatchObject({
          url: "https://shop.example/hooks",
          headers: { "x-event-type": "message.received" },
          body: { type: "message.received", data: { message: { body: "Hi" } } }
        })
      },
      { answer: () => ({ error: "connection refused" }) }
    ))

  it("runs workflows that wait for days", async () => {
    await using parley = await createTestParley()
    const { applications } = await parley.setup({
      workspace: "Acme",
      connections: { desk: { channel: "email", handle: "desk@acme.example" } },
      applications: { shop: { scopes: ["events.send", "contacts.write"], connections: ["desk"] } },
      workflows: {
        reminder: {
          trigger: { type: "external_event", event: "cart.abandoned" },
          actions: [
            { type: "wait", for: "2d" },
            { type: "send_email", subject: "Your cart", body: "It is waiting" }
          ]
        }
      }
    })
    const shop = parley.as(applications.shop.id)
    await shop.contacts.create({ identities: [{ channel: "email", handle: "ada@acme.example" }] })
    await shop.events.send({
      event: "cart.abandoned",
      identity: { channel: "email", external_id: "ada@acme.example" }
    })
    await parley.advance("47 hours")
    expect(parley.sent).toEqual([])
    await parley.advance("1 hour")
    expect(parley.sent).toMatchObject([
      { to: "ada@acme.example", body: "It is waiting", sentAt: new Date("2026-01-07T09:00:00Z") }
    ])
  })

  it("names a subscription that no process handles, also without events", () =>
    withShop(async ({ application, parley }) => {
      const waiting = async () => {
        const { data } = await parley.admin.request<{
          data: { waiting_subscriptions: ReadonlyArray<{ readonly url: string }> }
        }>("GET", "/status")
        return data.waiting_subscriptions.map(({ url }) => url)
      }
      const subscribe = () => parley.on("notes", "message.received", () => {}, { application })
      const first = await subscribe()
      await parley.advance("10 minutes")
      expect(await waiting()).toEqual([])
      await first.stop()
      await parley.advance("3 minutes")
      expect(await waiting()).toEqual(["subscription:notes"])
      const second = await subscribe()
      await parley.advance("1 second")
      expect(await waiting()).toEqual([])
      await second.stop()
      await parley.advance("3 minutes")
      await parley.admin.request("DELETE", `/webhook-endpoints/${first.id}`)
      await parley.advance("3 minutes")
      expect(await waiting()).toEqual([])
      const { data } = await parley.admin.request<{ data: ReadonlyArray<unknown> }>("GET", "/jobs?lane=subscriptions")
      expect(data).toEqual([])
    }))

  it("gives handlers of subscriptions the time that they need, and no more", () =>
    withShop(async ({ application, connection, parley }) => {
      const handled: Array<string> = []
      await parley.on(
        "notes",
        "message.received",
        async (event, { attempt }) => {
          await new Promise((resolve) => setTimeout(resolve, 5))
          handled.push(`${event.data.message.body} ${attempt}`)
          if (attempt === 1) await new Promise(() => {})
        },
        { application, timeoutMs: 60_000 }
      )
      await parley.receive(connection, { from: ada, body: "Hi" })
      expect(handled).toEqual(["Hi 1"])
      await parley.advance("59 seconds")
      expect(handled).toEqual(["Hi 1"])
      await parley.advance("3 seconds")
      expect(handled).toEqual(["Hi 1", "Hi 2"])
    }))

  it("handles the events of an application whose id is given in upper case", () =>
    withShop(async ({ application, connection, parley }) => {
      const handled: Array<string> = []
      await parley.on("notes", "message.received", (event) => void handled.push(event.data.message.body ?? ""), {
        application: application.toUpperCase()
      })
      await parley.receive(connection, { from: ada, body: "Hi" })
      expect(handled).toEqual(["Hi"])
    }))

  it("gives loops of events the time that they need", () =>
    withShop(async ({ application, connection, parley }) => {
      const handled: Array<string> = []
      const loop = (async () => {
        for await (const event of parley.events("notes", "message.received", { application })) {
          await new Promise((resolve) => setTimeout(resolve, 50))
          handled.push(`${event.data.message.body}`)
          if (handled.length === 3) break
        }
      })()
      await parley.idle()
      for (const body of ["one", "two"]) {
        await parley.receive(connection, { from: ada, body })
        expect(handled.at(-1)).toBe(body)
      }
      await parley.advance("2 hours")
      await parley.receive(connection, { from: ada, body: "three" })
      expect(handled).toEqual(["one", "two", "three"])
      await loop
    }))

  it("sends files from their URLs", async () => {
    const requested: Array<string> = []
    const files = (url: string) => {
      requested.push(url)
      return url.endsWith("gone.pdf") ? null : "The bill"
    }
    await withShop(
      async ({ application, connection, parley }) => {
        await parley.receive(connection, { from: ada, body: "Hi" })
        const bill = async (url: string) => {
          const message = { attachments: [{ url, content_type: "application/pdf" }] }
          const { data } = await parley
            .as(application)
            .messages.send({ channel: "whatsapp", to: ada, type: "media", message })
          await parley.advance("1 minute")
          return (await parley.as(application).messages.get(data.message_id)).data.status
        }
        expect(await bill("https://shop.example/bill.pdf")).toBe("read")
        expect(parley.sent).toMatchObject([{ files: [{ contentType: "application/pdf", size: 8 }] }])
        expect(await bill("https://shop.example/gone.pdf")).toBe("failed")
        expect(requested).toEqual(["https://shop.example/bill.pdf", "https://shop.example/gone.pdf"])
        await expect(bill("https://192.168.1.1/bill.pdf")).rejects.toMatchObject({ code: "validation_failed" })
      },
      { files }
    )
  })

  it("fails calls whose entitlements do not answer, and tries runs again", async () => {
    const silent = new Set(["contacts.create"])
    const entitlements = (_: unknown, operation: string) =>
      silent.has(operation) ? new Promise<undefined>(() => {}) : undefined
    await using parley = await createTestParley({ entitlements, logger: () => {} })
    const { applications } = await parley.setup({
      workspace: "Acme",
      connections: { desk: { channel: "email", handle: "desk@acme.example" } },
      applications: { shop: { scopes: ["events.send", "contacts.write"], connections: ["desk"] } },
      workflows: {
        thanks: {
          trigger: { type: "external_event", event: "order.paid" },
          actions: [{ type: "send_email", subject: "Thanks", body: "Thank you" }]
        }
      }
    })
    const shop = parley.as(applications.shop.id, { maxRetries: 0 })
    const create = () => shop.contacts.create({ identities: [{ channel: "email", handle: "ada@acme.example" }] })
    const refused = expect(create()).rejects.toMatchObject({ code: "service_unavailable" })
    await parley.advance("10 seconds")
    await refused
    silent.delete("contacts.create")
    silent.add("messages.send")
    const { data: contact } = await create()
    await shop.events.send({ event: "order.paid", contact_id: contact.id })
    await parley.advance("30 seconds")
    expect(parley.sent).toEqual([])
    silent.clear()
    await parley.advance("1 minute")
    expect(parley.sent).toMatchObject([{ to: "ada@acme.example" }])
  })

  it("tries an event of a subscription again when its time has come", () =>
    withShop(async ({ application, connection, parley }) => {
      const startsAt = parley.now().getTime()
      const seconds: Array<number> = []
      const failing = () => {
        seconds.push(Math.round((parley.now().getTime() - startsAt) / 1_000))
        throw new Error("down")
      }
      await parley.on("notes", "message.received", failing, { application })
      await parley.receive(connection, { from: ada, body: "Hi" })
      await parley.advance("8 minutes")
      // After 1, 5 and 30 s, 1 and 5 min, each with the middle of the jitter. Workers poll every second or so.
      expect(seconds).toHaveLength(6)
      for (const [index, due] of [0, 1, 6, 38, 101, 416].entries()) {
        expect(Math.abs((seconds[index] ?? 0) - due)).toBeLessThan(6)
      }
    }))

  it("disables a subscription whose events fail for longer than an hour", () =>
    withShop(async ({ application, connection, parley }) => {
      const failing = () => Promise.reject(new Error("down"))
      const { id } = await parley.on("notes", "message.received", failing, { application })
      for (let n = 0; n < 25; n++) await parley.receive(connection, { from: ada, body: `${n}` })
      await parley.advance("1 hour")
      expect((await parley.admin.webhooks.get(id)).data).toMatchObject({ status: "active", consecutive_failures: 0 })
      await parley.advance("1 hour")
      expect((await parley.admin.webhooks.get(id)).data).toMatchObject({ status: "disabled", consecutive_failures: 25 })
    }, quiet))

  it("fails an event of a subscription after a day, and handles it when it is replayed", () =>
    withShop(async ({ application, connection, parley }) => {
      const attempts: Array<number> = []
      let handled: string | null = null
      const { id } = await parley.on(
        "notes",
        "message.received",
        (event, { attempt }) => {
          attempts.push(attempt)
          if (attempt <= 11) throw new Error("down")
          handled = event.id
        },
        { application }
      )
      await parley.receive(connection, { from: ada, body: "Hi" })
      await parley.advance("26 hours")
      const { data: deliveries } = await parley.admin.webhooks.listDeliveries(id)
      expect(deliveries).toMatchObject([{ status: "failed", attempt_count: 11 }])
      expect((await parley.admin.webhooks.get(id)).data.status).toBe("active")

      await parley.admin.webhooks.replay(deliveries[0]?.id ?? "")
      await parley.idle()
      expect(attempts).toHaveLength(12)
      expect(handled).toBe(deliveries[0]?.event_id)
      const { data: replayed } = await parley.admin.webhooks.listDeliveries(id)
      expect(replayed).toMatchObject([{ status: "delivered" }])
    }, quiet))

  it.each([
    ["a rejection", "0001", "failed"],
    ["a throttled send", "0002", "read"],
    ["a slow verdict", "0006", "read"]
  ])("plays %s of the sandbox", (_, ending, expected) =>
    withShop(async ({ application, connection, parley }) => {
      const to = `+491511234${ending}`
      await parley.receive(connection, { from: to, body: "Hi" })
      const { data } = await parley.as(application).messages.send(hello(to))
      await parley.advance("10 seconds")
      expect((await parley.as(application).messages.get(data.message_id)).data.status).toBe(expected)
    })
  )

  it("waits for the verdict as long as verdictWaitMs says, while time passes", () =>
    withShop(
      async ({ application, connection, parley }) => {
        const to = "+4915112340006"
        await parley.receive(connection, { from: to, body: "Hi" })
        const sending = parley.as(application).messages.send(hello(to))
        await parley.advance("2 seconds")
        expect((await sending).data.status).toBe("queued")
      },
      { verdictWaitMs: 2_000 }
    ))

  it("sends uploads until they expire", () =>
    withShop(async ({ application, connection, parley }) => {
      await parley.receive(connection, { from: ada, body: "Hi" })
      const shop = parley.as(application)
      const file = new Blob([new Uint8Array(2_000_000)], { type: "application/octet-stream" })
      const { data: upload } = await shop.attachments.create({ file, fileName: "order.bin" })
      expect(upload).toMatchObject({ type: "document", size: 2_000_000, file_name: "order.bin" })
      const message = { attachments: [{ attachment_id: upload.id }] }
      const letter = { channel: "whatsapp", to: ada, type: "media", message } as const
      await shop.messages.send(letter)
      await parley.idle()
      expect(parley.sent).toMatchObject([{ files: [{ fileName: "order.bin", size: 2_000_000 }] }])
      await parley.advance("1 day")
      await expect(shop.attachments.get(upload.id)).rejects.toMatchObject({ code: "not_found" })
      await expect(shop.messages.send(letter)).rejects.toMatchObject({
        code: "validation_failed",
        details: { "message.attachments.0.attachment_id": ["is not an upload of this application, or has expired"] }
      })
    }))

  it("has the same ids and times in every run", async () => {
    const run = async () => {
      let seen = {}
      await withShop(async ({ application, connection, parley }) => {
        await parley.receive(connection, { from: ada, body: "Hi" })
        await parley.as(application).messages.send(hello(), { idempotencyKey: "hello" })
        await parley.advance("1 minute")
        seen = { application, sent: [...parley.sent] }
      })
      return seen
    }
    expect(await run()).toEqual(await run())
  })

  it("asks the functions of the caller", () =>
    withShop(
      async ({ application, connection, parley }) => {
        await parley.receive(connection, { from: ada, body: "Hi" })
        const refused = parley.as(application).messages.send(hello())
        await expect(refused).rejects.toMatchObject({ code: "insufficient_balance" })
      },
      { entitlements: async () => ({ code: "insufficient_balance" }) }
    ))

  it("refuses options that a test must not set", async () => {
    await expect(createTestParley({ startAt: new Date() } as never)).rejects.toThrow(
      /^createTestParley: startAt is not an option: the options are startsAt, answer, files, channels, (?!.*secretKey)/
    )
    for (const given of [null, "2026-01-05"]) {
      await expect(createTestParley(given as never)).rejects.toThrow(
        "createTestParley: the options must be an object, or absent"
      )
    }
    await expect(createTestParley({ startsAt: "2026-01-05", answer: 200 } as never)).rejects.toThrow(
      "createTestParley: answer must be a function\nstartsAt must be a Date"
    )
    await expect(createTestParley({ notifier: "console" } as never)).rejects.toThrow("notifier must be a function")
    await expect(createTestParley({ storage: { url: "sqlite:./parley.db" }, worker: false } as never)).rejects.toThrow(
      "createTestParley: storage is not an option: a test has its own, in memory\nworker is not an option"
    )
  })

  it("refuses what is not a time", async () => {
    await using parley = await createTestParley()
    const before = parley.now()
    for (const span of [5.5, -5, Number.NaN, "two hours", "2", "-2 hours", "2 fortnights", undefined, null]) {
      await expect(parley.advance(span as never)).rejects.toThrow(
        /^parley\.advance: the time must be a whole number of ms, or such as "2 hours", not /
      )
    }
    expect(parley.now()).toEqual(before)
    await parley.advance("1.5 seconds")
    await parley.advance("1 millis")
    await parley.advance(0)
    expect(parley.now().getTime() - before.getTime()).toBe(1_501)
  })

  it("refuses handlers and loops as an engine does", async () => {
    await using parley = await createTestParley()
    await expect(parley.on("notes", "*", undefined as never, undefined as never)).rejects.toThrow(
      "parley.on: the handler must be a function\nthe last argument must be an object"
    )
    expect(() => parley.events("notes", "*", undefined as never)).toThrow("parley.events: the last argument")
  })

  it("can be several in one process, each with its own time", async () => {
    await using one = await createTestParley()
    await using other = await createTestParley({ startsAt: new Date(0) })
    await one.advance("1 day")
    expect([one.now(), other.now()]).toEqual([new Date("2026-01-06T09:00:00Z"), new Date(0)])
  })
})
