import { Either } from "effect"

/** Collects the problems of options, which may come from untyped JavaScript. */
export interface OptionReader {
  /** One line per invalid option. */
  readonly problems: ReadonlyArray<string>
  readonly wrong: (name: string, message: string) => void
  /** Parses an option. Returns `absent` if it is undefined or invalid. */
  readonly option: <A>(name: string, given: unknown, absent: A, read: (given: unknown) => Either.Either<A, string>) => A
  /** Reports options other than these. */
  readonly known: (name: string, given: object, names: ReadonlyArray<string>) => void
  /** Reads an option with options of its own. Reports others than these. Returns none if it is undefined or invalid. */
  readonly group: (name: string, given: unknown, names: ReadonlyArray<string>) => GivenOptions
}

/** Options by name, before they are read. */
export interface GivenOptions {
  readonly [name: string]: unknown
}

export const makeOptionReader = (): OptionReader => {
  const problems: Array<string> = []
  const wrong = (name: string, message: string) => void problems.push(`${name} ${message}`)
  const known: OptionReader["known"] = (name, given, names) => {
    for (const key of Object.keys(given)) {
      if (!names.includes(key)) wrong(`${name}${key}`, `is not an option: ${suggestion(key, names)}`)
    }
  }
  return {
    problems,
    wrong,
    known,
    option: (name, given, absent, read) =>
      given === undefined
        ? absent
        : Either.getOrElse(read(given), (message) => {
            wrong(name, message)
            return absent
          }),
    group: (name, given, names) => {
      if (given === undefined) return {}
      if (!areOptions(given)) {
        wrong(name, `must be an object with ${names.join(", ")}`)
        return {}
      }
      known(`${name}.`, given, names)
      return given
    }
  }
}

/** The option of the same letters, such as `idempotencyKey` for `idempotency_key`; else the names of all. */
const suggestion = (unknown: string, names: ReadonlyArray<string>): string => {
  const letters = (name: string) => name.toLowerCase().replaceAll(/[-_]/g, "")
  const meant = names.find((name) => letters(name) === letters(unknown))
  return meant === undefined ? `the options are ${names.join(", ")}` : `write ${meant}`
}

/** Throws a `TypeError` if the arguments of a method of `Parley` have problems. */
export const refuse = (method: string, problems: ReadonlyArray<string>): void => {
  if (problems.length > 0) throw new TypeError(`parley.${method}: ${problems.join("\n")}`)
}

/** Whether this is an object, whose options are read by name. */
export const areOptions = (given: unknown): given is GivenOptions =>
  typeof given === "object" && given !== null && !Array.isArray(given)

export const aText =
  <A>(read: (text: string) => Either.Either<A, string>) =>
  (given: unknown): Either.Either<A, string> =>
    typeof given === "string" ? read(given) : Either.left("must be a string")

export const aNumber = (least: number) => (given: unknown) =>
  typeof given === "number" && Number.isInteger(given) && given >= least
    ? Either.right(given)
    : Either.left(`must be a whole number of at least ${least}`)

export const aBoolean = (given: unknown) =>
  typeof given === "boolean" ? Either.right(given) : Either.left("must be true or false")
