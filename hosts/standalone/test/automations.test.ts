import { readFileSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { callAdmin } from "./calls.js"
import { type Block, blocksOf, commandsOf, readerOf, timeless } from "./readerOfAPage.js"
import { receiver } from "./receiver.js"
import { until } from "./until.js"

const page = blocksOf("docs/automations.md")

interface Row {
  readonly [field: string]: unknown
}

/** Somebody who follows the page, and waits for what comes of each command. */
const newReader = Effect.gen(function* () {
  const { demo, edit, known, learn, paste } = yield* readerOf(["docs/automations"])
  const rows = (path: string) => callAdmin(demo, "GET", path) as Effect.Effect<ReadonlyArray<Row>>
  const one = (path: string) => callAdmin(demo, "GET", path) as Effect.Effect<Row>
  const eventually = (what: string, holds: Effect.Effect<boolean>) =>
    until(what, () => Effect.runPromise(Effect.map(holds, (so) => so || undefined)))

  const runs = rows(`/workflow-runs?workspace_id=${demo.workspace_id}&limit=100`)
  const isOver = ({ ended_at }: Row) => ended_at !== null
  const areOver = eventually(
    "the runs are over",
    Effect.map(runs, (all) => all.every(isOver))
  )
  /** A run is over, or waits because its workflow wants it so. */
  const rests = (run: Row): Effect.Effect<boolean> =>
    isOver(run)
      ? Effect.succeed(true)
      : Effect.map(one(`/workflow-runs/${run.id}`), (shown) => isOver(shown) || (shown.pending as Row)?.type === "wait")
  const rest = eventually(
    "the runs rest",
    Effect.map(Effect.flatMap(runs, Effect.forEach(rests)), (all) => !all.includes(false))
  )

  const messages = Effect.suspend(() => rows(`/messages?contact_id=${known.get("<id of Ada>")}&limit=100`))
  const isAnswered = Effect.map(messages, ([newest]) => newest?.direction === "outbound")
  const botTalks = Effect.suspend(() =>
    known.has("<bot id>") ? rows(`/bots/${known.get("<bot id>")}/sessions?status=active`) : Effect.succeed([])
  ).pipe(Effect.map((sessions) => sessions.length > 0))

  /** Pastes a command of the page, waits for what comes of it, and keeps the ids that the page speaks of later. */
  const follow = (command: string): Effect.Effect<string> =>
    Effect.gen(function* () {
      const asksBot = command.includes("simulate-inbound") && (yield* botTalks)
      const output = yield* paste(command)
      if (command.includes("/api/v1/events")) {
        expect(output).toBe('{"data":{"workflows_matched":1}}')
        yield* rest
        yield* learn("<run id>", (yield* runs)[0]?.id)
      }
      if (asksBot) yield* eventually("the bot has answered", isAnswered)
      const made = /^id +(\S+)/m.exec(output)?.[1]
      if (command.includes("--first-name Ada")) yield* learn("<id of Ada>", made)
      if (command.startsWith("parley team create")) yield* learn("<team id>", made)
      if (command.startsWith("parley bot apply")) yield* learn("<bot id>", /\((\S+)\)/.exec(output)?.[1])
      return output
    })

  /** Follows a block, command by command, and answers what the last one printed. */
  const followAll = (block: Block | undefined): Effect.Effect<string> =>
    Effect.map(Effect.forEach(block === undefined ? [] : commandsOf(block), follow), (printed) => printed.at(-1) ?? "")

  return { areOver, demo, edit, follow, followAll, messages, one, paste, rest, rows }
})
type Reader = Effect.Effect.Success<typeof newReader>

const tells = (printed: string, shown: Block | undefined): void =>
  expect(timeless(printed)).toContain(timeless(shown?.text ?? "nothing is shown").trim())

const sectionOf = (heading: string): ReadonlyArray<Block> => page.get(heading) ?? []

const orderShipped = ({ follow, followAll, messages, rows }: Reader) =>
  Effect.gen(function* () {
    const [yaml, tryIt, tried, ship, trace] = sectionOf("Order shipped")
    const [path = "", ...definition] = yaml?.text.slice(2).split("\n") ?? []
    const file = readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8")
    expect(definition).toEqual(file.split("\n").slice(1))

    tells(yield* followAll(tryIt), tried)
    expect(yield* messages).toEqual([])
    tells(yield* followAll(ship), trace)
    const [bea] = yield* rows("/contacts?handle=bea@example.com")
    expect(yield* rows(`/messages?contact_id=${bea?.id}`)).toMatchObject([
      {
        subject: "Your order 1042 is on its way",
        body: "Hello Bea,\nyour order 1042 is on its way.\n",
        workflow_run_id: expect.any(String)
      },
      { template_name: "order_shipped", variables: ["Bea", "1042"], status: "failed" }
    ])

    // The same of Ada, whose number can be reached.
    const curl = commandsOf(ship as Block).find((command) => command.startsWith("curl")) ?? ""
    yield* follow(curl.replaceAll("bea@", "ada@").replaceAll("1042", "1041"))
    const [reached, ...others] = yield* messages
    expect([reached, others]).toMatchObject([{ template_name: "order_shipped", status: /delivered|read/ }, []])
  })

const abandonedCart = ({ areOver, edit, follow, followAll, messages, rows }: Reader) =>
  Effect.gen(function* () {
    const [leave, waits, order, skips] = sectionOf("Abandoned cart")
    tells(yield* followAll(leave), waits)
    yield* followAll(order)
    expect((yield* rows("/contacts?handle=ada@example.com"))[0]).toMatchObject({ tags: ["bought"] })
    yield* follow("parley run stop <run id>")

    // As the page says: with shorter waits in the file, applied again.
    const [apply = "", , cart = ""] = commandsOf(leave as Block)
    const [buy = ""] = commandsOf(order as Block)
    const another = (command: string, key: string) => command.replace(/(cart|order)([ -])(7|1043)/g, `$1$2${key}`)
    const waiting = (seconds: number) =>
      Effect.zipRight(
        edit((text) => text.replace(/\bfor: \w+/g, `for: ${seconds}s`)),
        follow(apply)
      )
    const mails = Effect.map(messages, (all) => all.filter(({ subject }) => subject !== null))

    // How long Ada has for her order depends on the machine: where it was too short, she has more.
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
    tells(yield* leaves(4), skips)

    yield* waiting(1)
    yield* follow(another(cart, "b").replace("ada@", "bea@"))
    yield* areOver
    const [bea] = yield* rows("/contacts?handle=bea@example.com")
    const [last, first] = yield* rows(`/messages?contact_id=${bea?.id}`)
    expect([first, last]).toMatchObject([
      { body: "Hello Bea,\nyou left Cakes & more in your cart: https://shop.example/cart/7\n" },
      { subject: "Shall we keep it for you?" }
    ])
    expect(yield* rows("/tasks")).toMatchObject([{ title: "Ask Bea about a cart of 49.9", contact_id: bea?.id }])
  })

const qualifyingLeads = ({ demo, follow, followAll, messages, one, rows }: Reader) =>
  Effect.gen(function* () {
    const { arrivals, url } = yield* receiver
    yield* follow(`parley endpoint add ${url} --events bot.handoff`)
    const [make, talk, learned, told] = sectionOf("Qualifying leads")
    yield* followAll(make)
    yield* followAll(talk)
    const said = (yield* messages).filter(({ bot_session_id }) => bot_session_id !== null).map(({ body }) => body)
    expect(said.reverse()).toEqual([
      "Hello Ada, four short questions and we can make you an offer.",
      "What are you looking for?\n1. An offer\n2. I am only looking",
      "How many people will use it?",
      "Please answer with a number from 1 to 100000, such as 1.",
      "What may it cost a year, in euros?",
      "Where may we send the offer?",
      "Thank you! Somebody of our team will write to ada@work.example."
    ])
    const handOff = yield* until("the application hears of it", () => arrivals[0])
    const { bot, conversation } = handOff.event.data as unknown as { readonly bot: Row; readonly conversation: Row }
    expect(timeless(JSON.stringify(bot))).toBe(timeless(JSON.stringify(JSON.parse(learned?.text ?? ""))))
    const [team] = yield* rows("/teams")
    expect(yield* one(`/conversations/${conversation.id}`)).toMatchObject({ assigned_team_id: team?.id })

    expect(yield* followAll(told)).toContain("Offer for 12 people")
    expect(yield* rows("/leads")).toMatchObject([{ title: "Offer for 12 people", value: 4000, currency: "EUR" }])
    expect((yield* rows("/contacts?handle=ada@work.example"))[0]).toMatchObject({ lifecycle_stage: "prospect" })

    // Who has no conversation yet is called instead.
    const curl = commandsOf(talk as Block).find((command) => command.startsWith("curl")) ?? ""
    yield* follow("parley contact create --first-name Cy --phone +4915155555555")
    yield* follow(curl.replaceAll(/quote([ -])9/g, "quote$18").replace("+4915112345678", "+4915155555555"))
    expect((yield* rows(`/tasks?workspace_id=${demo.workspace_id}`))[0]).toMatchObject({
      title: "Call Cy about a quote"
    })
  })

it.scopedLive(
  "by the page alone, orders are told of, carts are asked about, and leads are qualified",
  () =>
    Effect.gen(function* () {
      const reader = yield* newReader
      yield* orderShipped(reader)
      yield* abandonedCart(reader)
      yield* qualifyingLeads(reader)
      // A run to look at, that is not over.
      const [leave] = sectionOf("Abandoned cart")
      yield* reader.edit((text) => text.replace(/\bfor: \w+/g, "for: 1h"))
      yield* reader.followAll(leave).pipe(Effect.exit)
      expect(
        [...page.keys()].filter((heading) => sectionOf(heading).some(({ language }) => language === "sh"))
      ).toEqual(["Order shipped", "Abandoned cart", "Qualifying leads", "For operators"])
      yield* reader.followAll(sectionOf("For operators")[0])
    }),
  300_000
)
