// Random dates, as users write them and as nobody would.

const MONTHS = ['jan', 'January', 'feb', 'March', 'apr', 'May', 'june', 'JUL', 'Aug', 'sept', 'Dec']
const DAYS = ['sunday', 'Mon', 'tuesday', 'Wednesdays', 'thu', 'FRIDAY', 'saturday']
const UNITS = ['second', 'seconds', 'minutes', 'hour', 'hours', 'day', 'days', 'week', 'weeks']
const WORDS = [
  ...['yesterday', 'today', 'now', 'noon', 'midnight', 'tea', 'never', 'last', 'ago', 'am', 'pm'],
  ...['AM', 'PM', 'one', 'two', 'Three', 'ten', 'zero', 'month', 'months', 'year', 'years'],
  ...['st', 'th', 'foo', 'a', 'T', 'Z', 'UTC', 'EST', 'cest', 'CET', 'at', 'and', 'next', 'this'],
]
const ZONES = [
  ...['+0200', '-0700', '+02:00', '+02', 'Z', ' UTC', ' EST', ' PDT', ' +0530', '+9', '-12345'],
  ...['', '', ' GMT', ' JST', ' nzdt', ' MEST', ' BST', ' +1400', ' -0001', ' idle'],
]

/** Returns `count` dates. */
export function datesOf(random, count) {
  const one = (list) => list[random(list.length)]
  const two = (most) => String(random(most)).padStart(2, '0')
  const year = () => one([1900, 1960, 1970 + random(130), 2000 + random(30), 2000 + random(30)])
  const small = () => random(one([5, 13, 32, 60, 100]))
  const day = () =>
    one([
      () => `${year()}-${two(13)}-${two(32)}`,
      () => `${year()}/${random(13)}/${random(32)}`,
      () => `${year()}.${two(13)}.${two(32)}`,
      () => `${small()}/${small()}/${one([year(), two(100)])}`,
      () => `${small()}.${small()}.${one([year(), two(100)])}`,
      () => `${small()}-${small()}`,
      () => `${small()}/${small()}`,
      () => `${year()}${two(13)}${two(32)}`,
      () => `${one(MONTHS)} ${small()}${one(['', ',', 'th', 'st'])} ${one([year(), two(100), ''])}`,
      () => `${small()} ${one(MONTHS)} ${one([year(), two(100), ''])}`,
      () => `${one(DAYS)}, ${small()} ${one(MONTHS)} ${year()}`,
    ])()
  const time = () =>
    one([
      () => `${two(26)}:${two(62)}:${two(62)}`,
      () => `${random(25)}:${two(60)}`,
      () => `${random(25)}:${two(60)}${one(['am', 'pm', ' PM', ''])}`,
      () => `${two(25)}${two(60)}${two(60)}`,
      () => `${two(25)}:${two(60)}:${two(60)}.${random(1000)}`,
      () => `T${two(25)}${one(['', two(60)])}`,
      () => `${two(25)}${two(60)}`,
      () => `${small()} ${one(['am', 'pm'])}`,
    ])()
  const unit = () => one([...UNITS, 'months', 'month', 'years', 'year', 'fortnight'])
  const ago = () => {
    const number = one([String(random(100)), 'two', 'last', 'a', String(random(2000))])
    const separator = one([' ', ' ', '.', '-', ''])
    return `${number}${separator}${unit()}${one(['', `${separator}ago`])}`
  }
  const piece = () =>
    one([
      day,
      time,
      ago,
      () => one(WORDS),
      () => `last ${one(DAYS)}`,
      () => one(DAYS),
      () => String(small()),
    ])()
  const whole = [
    () => `${day()}${one(['T', ' '])}${time()}${one(ZONES)}`,
    () => `${day()} ${time()}`,
    day,
    ago,
    () => `${ago()} ${time()}`,
    () => `${ago()} ${ago()}`,
    () => `last ${one(DAYS)} ${one(['', time(), 'noon'])}`,
    () => `${one(WORDS)} ${one(['', time(), 'yesterday', 'today'])}`,
    () => `${one(DAYS)} ${one(MONTHS)} ${random(32)} ${time()} ${year()}${one(ZONES)}`,
    () => `@${random(2_000_000_000)}${one(['', ' +0000', ' -0730', ' x'])}`,
    () => String(random(one([100, 10_000, 100_000_000, 2_000_000_000, 5_000_000_000]))),
    () => Array.from({ length: 1 + random(4) }, piece).join(one([' ', ' ', '.', '-', ''])),
    () => String.fromCharCode(...Array.from({ length: 1 + random(12) }, () => 32 + random(95))),
  ]
  return Array.from({ length: count }, () => one(whole)())
}
