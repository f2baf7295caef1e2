from benchmarks.search.measure import main

main()
