import { writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { HttpApi } from "@effect/platform"
import { expect, it } from "@effect/vitest"
import { AdminApi } from "@parley/http"
import { Effect } from "effect"
import { type CommandNode, treeOf } from "../../src/commands/CommandTree.js"
import type { Parameter } from "../../src/commands/manual.js"
import { parley } from "../../src/commands/parley.js"
import { temporaryFolder } from "../processes.js"
import { runParley } from "./runParley.js"

const id = "0190a1b2-0000-7000-8000-000000000001"

/** A server that refuses all requests, and records them. */
const refusing = Effect.acquireRelease(
  Effect.async<{ readonly url: string; readonly requests: Set<string>; readonly close: () => void }>((resume) => {
    const requests = new Set<string>()
    const server = createServer((request, response) => {
      requests.add(`${request.method} ${request.url?.split("?")[0]}`)
      response.statusCode = 404
      response.end(JSON.stringify({ error: { code: "not_found", message: "No.", details: {}, request_id: id } }))
    })
    server.listen(0, "127.0.0.1", () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      resume(Effect.succeed({ url, requests, close: () => server.close().closeAllConnections() }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

const commands = (node: CommandNode): ReadonlyArray<CommandNode> =>
  node.children.size === 0 ? [node] : [...node.children.values()].flatMap(commands)

/** A folder with a file of each kind that a command reads; gone with the scope. */
const filesToRead = Effect.tap(temporaryFolder, (folder) =>
  Effect.promise(async () => {
    await writeFile(join(folder, "contacts.csv"), "email\nada@example.org\n")
    await writeFile(join(folder, "definition.yaml"), "name: Tell\n")
  })
)

/** The files that arguments name. */
const fileFor = (path: ReadonlyArray<string>, { names }: Parameter): string | null =>
  names.includes("<file>")
    ? path.includes("contact")
      ? "contacts.csv"
      : "definition.yaml"
    : names.includes("<definition>")
      ? "definition.yaml"
      : null

/** A valid value of a parameter; the first of several choices. */
const valueFor = ({ takes }: Parameter): string => {
  const [first = "", ...others] = (takes ?? "text").split(" | ")
  return others.length > 0 ? first : first === "text" ? id : first === "time" ? "3d" : "3"
}

/** Options that say where and whose, on any command that has them. */
const common = ["--server", "--token", "--app", "--workspace"]

/** Options that name a file to write. */
const written = ["--errors", "--output"]

/** Ways to call a command: with what has to be given, and with each thing more that may be. */
const callsOf = (
  { manual: { args, options }, path }: CommandNode,
  folder: string
): ReadonlyArray<ReadonlyArray<string>> => {
  const given = (option: Parameter) => {
    const [name = ""] = option.names
    return [name, written.includes(name) ? join(folder, "written") : valueFor(option)]
  }
  const owners = options.filter(({ names }) => names.includes("--app") || names.includes("--workspace"))
  const needed = options.filter(({ optional }) => !optional)
  const confirmed = options.some(({ names }) => names.includes("--yes")) ? ["--yes"] : []
  const callFor = (ofOwners: ReadonlyArray<Parameter>) => [
    ...path.slice(1),
    ...confirmed,
    ...args.map((arg) => {
      const file = fileFor(path, arg)
      return file === null ? valueFor(arg) : join(folder, file)
    }),
    ...[...needed, ...ofOwners].flatMap(given)
  ]
  const call = callFor(owners)
  const more = options.filter(
    ({ names, optional, takes }) => optional && takes !== null && !names.some((name) => common.includes(name))
  )
  // Some commands list what belongs to one or the other.
  const ofEach = owners.length > 1 ? owners.map((owner) => callFor([owner])) : []
  return [call, ...ofEach, ...more.map((option) => [...call, ...given(option)])]
}

it.scopedLive(
  "every operation of the admin API has a command",
  () =>
    Effect.gen(function* () {
      const { requests, url } = yield* refusing
      const folder = yield* filesToRead
      const target = ["--server", url, "--token", "token", "--json"]
      const overTheApi = commands(treeOf(parley.name, parley.what, parley.sections)).filter(({ manual }) =>
        manual.options.some(({ names }) => names.includes("--server"))
      )
      for (const message of overTheApi.flatMap((command) => callsOf(command, folder))) {
        const { code, errors } = yield* runParley([...message, ...target])
        if (code === 2) expect([message, errors]).toEqual([message, expect.stringContaining("Give ")])
      }
      const operations: Array<string> = []
      HttpApi.reflect(AdminApi, {
        onGroup: () => {},
        onEndpoint: ({ endpoint }) => operations.push(`${endpoint.method} ${endpoint.path}`)
      })
      expect(operations.length).toBeGreaterThan(50)
      const isReached = (operation: string) => {
        const pattern = new RegExp(`^${operation.replace(/:\w+(\([^)]*\))?/g, "[^/]+")}$`)
        return [...requests].some((request) => pattern.test(request))
      }
      expect(operations.filter((operation) => !isReached(operation))).toEqual([])
    }),
  120_000
)
