import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { type AdminClient, adminClient } from "./AdminClient.js"
import { CommandFailed } from "./CommandFailed.js"
import { jsonOption } from "./output.js"
import { type Target, targetOf, targetOptions } from "./Target.js"

/** What a command over the admin API works with. */
export interface Tools {
  readonly client: AdminClient
  readonly target: Target
  readonly json: boolean
}

/** A command over the admin API: its own options, those of every such command, and what it does. */
export const leaf = <Name extends string, const Config extends Command.Command.Config>(
  name: Name,
  description: string,
  config: Config,
  run: (input: Command.Command.ParseConfig<Config>, tools: Tools) => Effect.Effect<void, CommandFailed>
) =>
  Command.make(name, { ...config, ...targetOptions, json: jsonOption }, (given) => {
    const input = given as Command.Command.ParseConfig<Config> & {
      readonly url: Option.Option<string>
      readonly token: Option.Option<string>
      readonly json: boolean
    }
    return Effect.flatMap(targetOf(input), (target) =>
      run(input, { client: adminClient(target), target, json: input.json })
    )
  }).pipe(Command.withDescription(description))

/** An argument that has to be given. */
export const argument = (name: string, description: string) =>
  Args.text({ name }).pipe(Args.withDescription(description))

/** An option that may be left out; null then. */
export const option = (name: string, description: string) =>
  Options.text(name).pipe(Options.withDescription(description), Options.optional, Options.map(Option.getOrNull))

export const applicationOption = option("app", "The application's id; the demo's where it is left out")
export const workspaceOption = option("workspace", "The workspace's id; the demo's where it is left out")
export const limitOption = Options.integer("limit").pipe(
  Options.withDescription("How many to list, from 1 to 100"),
  Options.withDefault(25)
)

/** What was given, else the demo's. */
export const needed = (
  what: "app" | "workspace",
  given: string | null,
  { applicationId, workspaceId }: Target
): Effect.Effect<string, CommandFailed> => {
  const id = given ?? (what === "app" ? applicationId : workspaceId)
  return id === null ? new CommandFailed({ message: `Say which with --${what} <id>` }) : Effect.succeed(id)
}

/** The items of text that has them separated by commas. */
export const itemsOf = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")
