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
}

export const makeOptionReader = (): OptionReader => {
  const problems: Array<string> = []
  const wrong = (name: string, message: string) => void problems.push(`${name} ${message}`)
  return {
    problems,
    wrong,
    option: (name, given, absent, read) =>
      given === undefined
        ? absent
        : Either.getOrElse(read(given), (message) => {
            wrong(name, message)
            return absent
          }),
    known: (name, given, names) => {
      for (const key of Object.keys(given)) if (!names.includes(key)) wrong(`${name}${key}`, "is not an option")
    }
  }
}

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
