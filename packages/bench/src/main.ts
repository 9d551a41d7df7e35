import { rmSync, writeFileSync } from "node:fs"
import { startPostgres } from "@parley/testkit/postgres"
import { bundle, programs } from "./bundle.js"
import { machine } from "./machine.js"
import { startProcess } from "./measuring/BenchProcess.js"
import { collectProfiles } from "./measuring/profiles.js"
import { type TableRow, table } from "./measuring/table.js"
import { notes } from "./notes.js"
import { readOptions, type SectionName } from "./options.js"
import { accessSection } from "./sections/access.js"
import type { Bench } from "./sections/Bench.js"
import { bodiesSection } from "./sections/bodies.js"
import { chatSection } from "./sections/chat.js"
import { deliveriesSection } from "./sections/deliveries.js"
import { engineSection } from "./sections/engine.js"
import { enqueueSection } from "./sections/enqueue.js"
import { filesSection } from "./sections/files.js"
import { httpSection } from "./sections/http.js"
import { inboundSection } from "./sections/inbound.js"
import { inProcessSection } from "./sections/inProcess.js"
import { installSection } from "./sections/install.js"
import { jobsSection } from "./sections/jobs.js"
import { listsSection } from "./sections/lists.js"
import { memorySection } from "./sections/memory.js"
import { runsSection } from "./sections/runs.js"
import { snapshotSection } from "./sections/snapshot.js"
import { storiesSection } from "./sections/stories.js"
import { subscriptionsSection } from "./sections/subscriptions.js"
import { throttleSection } from "./sections/throttle.js"
import { webhookReceiver } from "./webhookReceiver.js"
import { makeStores, query } from "./world/Store.js"
import { startHost } from "./world/standalone.js"

const sections: { readonly [S in SectionName]: (bench: Bench) => Promise<ReadonlyArray<TableRow>> } = {
  engine: engineSection,
  stories: storiesSection,
  http: httpSection,
  access: accessSection,
  deliveries: deliveriesSection,
  subscriptions: subscriptionsSection,
  enqueue: enqueueSection,
  jobs: jobsSection,
  inProcess: inProcessSection,
  lists: listsSection,
  throttle: throttleSection,
  snapshot: snapshotSection,
  runs: runsSection,
  inbound: inboundSection,
  chat: chatSection,
  bodies: bodiesSection,
  files: filesSection,
  memory: memorySection,
  install: installSection
}

const run = async () => {
  const options = readOptions(process.argv.slice(2))
  const profiles = options.profile === null ? null : collectProfiles(options.profile)
  const progress = (text: string) => process.stderr.write(`${text} …\n`)
  progress("building")
  bundle()
  const server = await startPostgres({ fsync: true })
  const stores = makeStores(server.url)
  process.once("exit", () => rmSync(stores.folder, { recursive: true, force: true }))
  const receiver = await webhookReceiver()
  const stops: Array<() => Promise<void>> = []
  const stopped = <A extends { readonly stop: () => Promise<void> }>(started: A): A => {
    stops.push(started.stop)
    return started
  }
  const bench: Bench = {
    ...options,
    stores,
    progress,
    webhookUrl: receiver.url,
    start: async <Order, Answer>(program: string, setting: unknown) =>
      stopped(
        await startProcess<Order, Answer>(programs, program, setting, profiles?.fileFor(program, setting) ?? null)
      ),
    startHost: async (store, settings) =>
      stopped(await startHost(store, stores.folder, settings, profiles?.fileFor("host", { store }) ?? null))
  }
  try {
    const lines: Array<TableRow> = []
    for (const name of options.only) lines.push(...(await sections[name](bench)))
    process.stdout.write(`${table(lines)}\n`)
    if (options.write !== null) {
      const [version] = await query(server.url, "SHOW server_version")
      const facts = machine(version.server_version)
      writeFileSync(options.write, document(lines, facts))
      progress(`written to ${options.write}`)
    }
  } finally {
    for (const stop of stops) await stop()
    receiver.stop()
    await server.stop()
  }
  if (profiles !== null) process.stdout.write(`\n${profiles.table()}\n`)
}

const document = (lines: ReadonlyArray<TableRow>, facts: ReadonlyArray<string>): string => {
  const listed = (items: ReadonlyArray<string>) => items.map((item) => `- ${item}`).join("\n")
  return `# Benchmarks

\`npm run bench -- --write docs/benchmarks.md\` wrote this. Figures of one machine tell little about another; the ratios do.

${listed(facts)}

${table(lines)}

## How it was measured

${listed(notes)}
`
}

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1))
run().catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
