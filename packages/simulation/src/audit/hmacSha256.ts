/**
 * HMAC-SHA256 (RFC 2104, FIPS 180-4), written here because the auditor imports nothing. Its test compares it with Node's.
 */

const blockSize = 64

/** The first 32 bits of the fractional parts of roots of the first primes: square roots for the state, cube roots for the rounds. */
const fractionsOf = (count: number, root: (prime: number) => number): Int32Array => {
  const fractions = new Int32Array(count)
  for (let number = 2, found = 0; found < count; number++) {
    if (!isPrime(number)) continue
    const value = root(number)
    fractions[found++] = Math.floor((value - Math.floor(value)) * 2 ** 32)
  }
  return fractions
}

const isPrime = (number: number): boolean => {
  for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) return false
  return true
}

const initialState = fractionsOf(8, Math.sqrt)
const roundConstants = fractionsOf(64, Math.cbrt)

const schedule = new Int32Array(64)

/** Adds the block at an offset to the state. */
const compress = (state: Int32Array, bytes: Uint8Array, offset: number): void => {
  const w = schedule
  for (let i = 0, at = offset; i < 16; i++, at += 4) {
    w[i] =
      ((bytes[at] as number) << 24) |
      ((bytes[at + 1] as number) << 16) |
      ((bytes[at + 2] as number) << 8) |
      (bytes[at + 3] as number)
  }
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15] as number
    const y = w[i - 2] as number
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    w[i] = ((w[i - 16] as number) + s0 + (w[i - 7] as number) + s1) | 0
  }
  let a = state[0] as number
  let b = state[1] as number
  let c = state[2] as number
  let d = state[3] as number
  let e = state[4] as number
  let f = state[5] as number
  let g = state[6] as number
  let h = state[7] as number
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (roundConstants[i] as number) + (w[i] as number)) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  state[0] = (state[0] as number) + a
  state[1] = (state[1] as number) + b
  state[2] = (state[2] as number) + c
  state[3] = (state[3] as number) + d
  state[4] = (state[4] as number) + e
  state[5] = (state[5] as number) + f
  state[6] = (state[6] as number) + g
  state[7] = (state[7] as number) + h
}

/** Ends a hash: `bytes` after `before` bytes that are in the state already. */
const finish = (state: Int32Array, bytes: Uint8Array, before: number): Int32Array => {
  const full = bytes.length - (bytes.length % blockSize)
  for (let offset = 0; offset < full; offset += blockSize) compress(state, bytes, offset)
  const rest = bytes.length - full
  const last = new Uint8Array(rest < 56 ? blockSize : 2 * blockSize)
  last.set(bytes.subarray(full))
  last[rest] = 0x80
  const view = new DataView(last.buffer)
  const bits = (before + bytes.length) * 8
  view.setUint32(last.length - 8, Math.floor(bits / 2 ** 32))
  view.setUint32(last.length - 4, bits >>> 0)
  for (let offset = 0; offset < last.length; offset += blockSize) compress(state, last, offset)
  return state
}

const bytesOf = (integers: Int32Array): Uint8Array => {
  const view = new DataView(new ArrayBuffer(integers.length * 4))
  integers.forEach((integer, index) => {
    view.setInt32(index * 4, integer)
  })
  return new Uint8Array(view.buffer)
}

const encoder = new TextEncoder()

/** A key, ready for many texts. The function returns lower-case hex. */
export const hmacSha256 = (key: string): ((text: string) => string) => {
  const encoded = encoder.encode(key)
  const bytes = encoded.length > blockSize ? bytesOf(finish(initialState.slice(), encoded, 0)) : encoded
  const stateOf = (pad: number): Int32Array => {
    const block = new Uint8Array(blockSize).fill(pad)
    bytes.forEach((byte, index) => {
      block[index] = byte ^ pad
    })
    const state = initialState.slice()
    compress(state, block, 0)
    return state
  }
  const inner = stateOf(0x36)
  const outer = stateOf(0x5c)
  return (text) => {
    const digest = finish(inner.slice(), encoder.encode(text), blockSize)
    const result = finish(outer.slice(), bytesOf(digest), blockSize)
    let hex = ""
    for (const word of result) hex += (word >>> 0).toString(16).padStart(8, "0")
    return hex
  }
}
