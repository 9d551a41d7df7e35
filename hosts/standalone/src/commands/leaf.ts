import { Args, type CliApp, Command, HelpDoc, Options, ValidationError } from "@effect/cli"
import { Effect, Option } from "effect"
import { type AdminClient, adminClient } from "./AdminClient.js"
import { CommandFailed } from "./CommandFailed.js"
import { described } from "./described.js"
import { exitCodes } from "./exitCodes.js"
import { jsonOption } from "./output.js"
import { type Target, targetOf, targetOptions } from "./Target.js"

/** What a command over the admin API works with. */
export interface Tools {
  readonly client: AdminClient
  readonly target: Target
  readonly json: boolean
}

/**
 * A command over the admin API: its own options, those of every such command, and what it does. The description has its
 * examples, see {@link described}.
 */
export const leaf = <Name extends string, const Config extends Command.Command.Config>(
  name: Name,
  description: string,
  config: Config,
  run: (
    input: Command.Command.ParseConfig<Config>,
    tools: Tools
  ) => Effect.Effect<void, CommandFailed, CliApp.CliApp.Environment>
) =>
  Command.make(name, { ...config, ...targetOptions, json: jsonOption }, (given) => {
    const input = given as Command.Command.ParseConfig<Config> & {
      readonly server: Option.Option<string>
      readonly token: Option.Option<string>
      readonly json: boolean
    }
    return Effect.flatMap(targetOf(input), (target) =>
      run(input, { client: adminClient(target), target, json: input.json })
    )
  }).pipe(described(description))

/** An argument that has to be given. */
export const argument = (name: string, description: string) =>
  Args.text({ name }).pipe(Args.withDescription(description))

/** An option that may be left out; null then. */
export const option = (name: string, description: string) =>
  Options.text(name).pipe(Options.withDescription(description), Options.optional, Options.map(Option.getOrNull))

export const applicationOption = option("app", "The application's id; the demo's where it is left out")
export const workspaceOption = option("workspace", "The workspace's id; the demo's where it is left out")

/** Narrows a list down. */
export const workspaceFilter = option("workspace", "Only this workspace's")

/** An option that is a whole number from 1 up and may be left out; null then. */
export const numberOption = (name: string, description: string) =>
  Options.text(name).pipe(
    Options.withPseudoName("number"),
    Options.withDescription(description),
    Options.mapEffect((text) =>
      /^[1-9]\d{0,8}$/.test(text)
        ? Effect.succeed(Number(text))
        : Effect.fail(ValidationError.invalidValue(HelpDoc.p(`--${name} must be a whole number from 1 up`)))
    ),
    Options.optional,
    Options.map(Option.getOrNull)
  )

/** How many rows of a list to show: `--limit`, and `--all` for no limit. */
export const limitOption = Options.all({
  limit: numberOption("limit", "How many to list (default 25)"),
  all: Options.boolean("all").pipe(Options.withDescription("List all there are"))
}).pipe(Options.map(({ all, limit }) => (all ? Number.POSITIVE_INFINITY : (limit ?? 25))))

/** An option of these words, one of which it is where it is left out. */
export const choice = <const Word extends string>(
  name: string,
  words: ReadonlyArray<Word>,
  byDefault: NoInfer<Word>,
  description: string
) =>
  Options.choice(name, words).pipe(
    Options.withDescription(`${description} (default ${byDefault})`),
    Options.withDefault(byDefault)
  )

/** An option of these words that may be left out; null then. */
export const optionalChoice = <const Word extends string>(
  name: string,
  words: ReadonlyArray<Word>,
  description: string
) =>
  Options.choice(name, words).pipe(
    Options.withDescription(description),
    Options.optional,
    Options.map(Option.getOrNull)
  )

/** What was given, else the demo's. */
export const needed = (
  what: "app" | "workspace",
  given: string | null,
  { applicationId, workspaceId }: Target
): Effect.Effect<string, CommandFailed> => {
  const id = given ?? (what === "app" ? applicationId : workspaceId)
  return id === null
    ? new CommandFailed({
        message: `Say which with --${what} <id>: parley ${what} list has them`,
        code: exitCodes.misused
      })
    : Effect.succeed(id)
}

/** The items of text that has them separated by commas. */
export const itemsOf = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")
