import { readFileSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Automator, automator, type Row } from "./automator.js"
import { type Block, blocksOf, commandsOf, timeless } from "./docsPage.js"
import { until } from "./until.js"

const page = blocksOf("docs/automations.md")

const notifies = (printed: string, shown: Block | undefined): void =>
  expect(timeless(printed)).toContain(timeless(shown?.text ?? "nothing is shown").trim())

const sectionOf = (heading: string): ReadonlyArray<Block> => page.get(heading) ?? []

/** The same event about another cart or order. */
const another = (command: string, key: string): string => command.replace(/(cart|order)([ -])(?:7|1043)/g, `$1$2${key}`)

const orderShipped = ({ contactWith, follow, followAll, messages, rows, reported }: Automator) =>
  Effect.gen(function* () {
    const [yaml, tryIt, tried, ship, trace] = sectionOf("Order shipped")
    const [path = "", ...definition] = yaml?.text.slice(2).split("\n") ?? []
    const file = readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8")
    expect(definition).toEqual(file.split("\n").slice(1))

    notifies(yield* followAll(tryIt), tried)
    expect(yield* messages).toEqual([])
    notifies(yield* followAll(ship), trace)
    const bea = yield* contactWith("bea@example.com")
    const [mail, template] = yield* rows(`/messages?contact_id=${bea?.id}`)
    expect([mail, template]).toMatchObject([
      {
        subject: "Your order 1042 is on its way",
        body: "Hello Bea,\nyour order 1042 is on its way.\n",
        workflow_run_id: expect.any(String)
      },
      { template_name: "order_shipped", variables: ["Bea", "1042"], status: "failed" }
    ])
    const failure = yield* until("the application receives the failure", () =>
      reported("message", template?.id).find(({ type }) => type === "message.failed")
    )
    expect(failure).not.toHaveProperty("external_reference")
    yield* until("the application receives the event of the email", () =>
      reported("message", mail?.id).find(({ type }) => type === "message.delivered")
    )

    // The same for Ada, whose number is reachable.
    const curl = commandsOf(ship as Block).find((command) => command.startsWith("curl")) ?? ""
    yield* follow(curl.replaceAll("bea@", "ada@").replaceAll("1042", "1041"))
    const [reached, ...others] = yield* messages
    expect([reached, others]).toMatchObject([
      { template_name: "order_shipped", status: expect.stringMatching(/delivered|read/) },
      []
    ])
  })

const abandonedCart = ({ areOver, contactWith, edit, follow, followAll, known, messages, rows }: Automator) =>
  Effect.gen(function* () {
    const [leave, waits, order, skips] = sectionOf("Abandoned cart")
    notifies(yield* followAll(leave), waits)
    const waitingRun = known.get("<run id>")
    yield* followAll(order)
    expect(yield* contactWith("ada@example.com")).toMatchObject({ tags: ["bought"] })
    yield* follow(`parley run stop ${waitingRun}`)

    // As the page says: with shorter waits in the file, applied again.
    const [apply = "", , cart = ""] = commandsOf(leave as Block)
    const [buy = ""] = commandsOf(order as Block)
    const waiting = (seconds: number) =>
      Effect.zipRight(
        edit((text) => text.replace(/\bfor: \w+/g, `for: ${seconds}s`)),
        follow(apply)
      )
    const mails = Effect.map(messages, (all) => all.filter(({ subject }) => subject !== null))

    // The wait for Ada's order depends on the machine; retry with a longer one.
    const leaves = (seconds: number): Effect.Effect<string> =>
      Effect.gen(function* () {
        yield* waiting(seconds)
        const before = (yield* mails).length
        yield* follow(another(cart, `a${seconds}`))
        yield* follow(another(buy, `a${seconds}`))
        yield* areOver
        const [run] = (yield* rows("/workflow-runs?limit=100")).filter(
          ({ event }) => (event as Row).name === "cart.abandoned"
        )
        const isLate = (yield* mails).length > before && seconds < 100
        return isLate ? yield* leaves(seconds * 5) : yield* follow(`parley run show ${run?.id}`)
      })
    notifies(yield* leaves(4), skips)

    yield* waiting(1)
    yield* follow(another(cart, "b").replace("ada@", "bea@"))
    yield* areOver
    const bea = yield* contactWith("bea@example.com")
    const [last, first] = yield* rows(`/messages?contact_id=${bea?.id}`)
    expect([first, last]).toMatchObject([
      { body: "Hello Bea,\nyou left Cakes & more in your cart: https://shop.example/cart/7\n" },
      { subject: "Shall we keep it for you?" }
    ])
    expect(yield* rows("/tasks")).toMatchObject([{ title: "Ask Bea about a cart of 49.9", contact_id: bea?.id }])
  })

const qualifyingLeads = ({ contactWith, demo, follow, followAll, known, messages, one, rows, reported }: Automator) =>
  Effect.gen(function* () {
    const [make, lastConversation, learned, event] = sectionOf("Qualifying leads")
    yield* followAll(make)
    yield* followAll(lastConversation)
    const said = (yield* messages).filter(({ bot_session_id }) => bot_session_id !== null).map(({ body }) => body)
    expect(said.reverse()).toEqual([
      "Hello Ada, four short questions and we can make you an offer.",
      "What are you looking for?",
      "How many people will use it?",
      "Please answer with a number from 1 to 100000, such as 1.",
      "What may it cost a year, in euros?",
      "Where may we send the offer?",
      "Thank you! Our team will write to ada@work.example."
    ])
    const [dialogue] = yield* rows(`/bots/${known.get("<bot id>")}/sessions`)
    const handOff = yield* until("the application receives the hand-off", () =>
      reported("conversation", dialogue?.conversation_id).find(({ type }) => type === "bot.handoff")
    )
    const { bot, conversation } = handOff.data as unknown as { readonly bot: Row; readonly conversation: Row }
    expect(timeless(JSON.stringify(bot))).toBe(timeless(JSON.stringify(JSON.parse(learned?.text ?? ""))))
    const [team] = yield* rows("/teams")
    expect(yield* one(`/conversations/${conversation.id}`)).toMatchObject({ assigned_team_id: team?.id })

    expect(yield* followAll(event)).toContain("Offer for 12 people")
    expect(yield* rows("/leads")).toMatchObject([{ title: "Offer for 12 people", value: 4000, currency: "EUR" }])
    expect(yield* contactWith("ada@work.example")).toMatchObject({ lifecycle_stage: "prospect" })

    // A customer who is only looking gets no further questions.
    yield* follow('parley connection simulate-inbound whatsapp +4915187654321 "quote"')
    yield* follow('parley connection simulate-inbound whatsapp +4915187654321 "I am only looking"')
    expect((yield* rows(`/bots/${known.get("<bot id>")}/sessions`))[0]).toMatchObject({
      outcome: "finished",
      answers: { need: "looking" }
    })

    // A contact without a conversation gets a call task instead.
    const curl = commandsOf(lastConversation as Block).find((command) => command.startsWith("curl")) ?? ""
    yield* follow("parley contact create --first-name Cy --phone +4915155555555")
    yield* follow(curl.replaceAll(/quote([ -])9/g, "quote$18").replace("+4915187654321", "+4915155555555"))
    expect((yield* rows(`/tasks?workspace_id=${demo.workspace_id}`))[0]).toMatchObject({
      title: "Call Cy about a quote"
    })
  })

it.scopedLive(
  "the page's commands notify about orders, ask about carts and qualify leads",
  () =>
    Effect.gen(function* () {
      const reader = yield* automator
      yield* orderShipped(reader)
      yield* abandonedCart(reader)
      yield* qualifyingLeads(reader)
      // A run to show and to stop.
      const [apply = "", , cart = ""] = commandsOf(sectionOf("Abandoned cart")[0] as Block)
      yield* reader.edit((text) => text.replace(/\bfor: \w+/g, "for: 1h"))
      yield* reader.follow(apply)
      yield* reader.follow(another(cart, "c").replace("ada@", "bea@"))
      yield* reader.learn("<contact id>", reader.known.get("<id of Ada>"))
      expect(
        [...page.keys()].filter((heading) => sectionOf(heading).some(({ language }) => language === "sh"))
      ).toEqual(["Order shipped", "Abandoned cart", "Qualifying leads", "For operators"])
      yield* reader.followAll(sectionOf("For operators")[0])
      yield* reader.followAll(blocksOf("docs/bots.md").get("# Bots")?.[0])
    }),
  600_000
)
