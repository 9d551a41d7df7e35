import { Command, HelpDoc } from "@effect/cli"

/**
 * Describes a command by what it does, then its examples, each after "Example:".
 *
 * @example
 * Command.make("rotate", …).pipe(described("Replace the secret. Example: parley endpoint rotate <id>"))
 */
export const described = (description: string) => {
  const [what = "", ...examples] = description.split(/\.?\s+Example: /)
  const [first, ...others] = examples.map((example) => HelpDoc.p(example))
  return Command.withDescription(
    first === undefined ? HelpDoc.p(what) : HelpDoc.sequence(HelpDoc.p(what), HelpDoc.enumeration([first, ...others]))
  )
}
