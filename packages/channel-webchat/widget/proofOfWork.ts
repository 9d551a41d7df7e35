/** The first 32 bits of the fractional part, as the constants of SHA-256 are defined. */
const fraction = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) | 0

const primes: Array<number> = []
for (let candidate = 2; primes.length < 64; candidate++) {
  if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
}
const initial = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))
const constants = primes.map((prime) => fraction(Math.cbrt(prime)))
const schedule = new Int32Array(64)

const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by))
const at = (list: ArrayLike<number>, index: number): number => list[index] as number

/**
 * The first 32 bits of the SHA-256 of an ASCII text of at most 55 characters, which is one block. `crypto.subtle` takes
 * a promise for each hash and exists over https only.
 */
export const hashStart = (text: string): number => {
  schedule.fill(0)
  for (let index = 0; index < text.length; index++) {
    schedule[index >> 2] = at(schedule, index >> 2) | (text.charCodeAt(index) << (24 - 8 * (index % 4)))
  }
  schedule[text.length >> 2] = at(schedule, text.length >> 2) | (0x80 << (24 - 8 * (text.length % 4)))
  schedule[15] = text.length * 8
  for (let index = 16; index < 64; index++) {
    const [early, late] = [at(schedule, index - 15), at(schedule, index - 2)]
    schedule[index] =
      at(schedule, index - 16) +
      (rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3)) +
      at(schedule, index - 7) +
      (rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10))
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = initial
  for (let index = 0; index < 64; index++) {
    const one =
      (h +
        (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) +
        ((e & f) ^ (~e & g)) +
        at(constants, index) +
        at(schedule, index)) |
      0
    const other = ((rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + other) | 0
  }
  return (a + at(initial, 0)) >>> 0
}

/** In ms of computing before the page may do something else. */
const sliceMs = 12

/** The number, as text, whose hash after the challenge's signature begins with this many zero bits. */
export const solve = async (challenge: string, bits: number): Promise<string> => {
  const start = `${challenge.split(".").at(-1)}.`
  for (let number = 0; ; ) {
    const until = performance.now() + sliceMs
    while (performance.now() < until) {
      for (const end = number + 100; number < end; number++) {
        if (Math.clz32(hashStart(start + number)) >= bits) return String(number)
      }
    }
    await new Promise((resolve) => setTimeout(resolve))
  }
}
