# Full-day closures of the New York Stock Exchange by timeDate (Debian r-cran-timedate).
suppressMessages({library(timeDate); library(jsonlite)})
output <- commandArgs(trailingOnly = TRUE)[1]
closures <- format(as.Date(holidayNYSE(1990:2030)))
libraries <- list(R = paste(R.version$major, R.version$minor, sep = "."), timeDate = as.character(packageVersion("timeDate")))
text <- c(
  paste0('{"libraries": ', toJSON(libraries, auto_unbox = TRUE), ","),
  paste0('"values": {"closures": ', toJSON(sort(closures)), "}}")
)
writeLines(text, output)
