// Runs before the first paint. The key is the one that the theme switch writes; without a choice the system decides.
;(function () {
  var choice = null
  try {
    choice = localStorage.getItem('theme')
  } catch {
    // Storage is blocked: the system's preference decides.
  }
  var dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  var colour = document.querySelector('meta[name="theme-color"]')
  if (colour && dark) colour.setAttribute('content', '#0b0e13')
})()
