def handle(tasks):
    try:
        tasks.run()
    except* OSError as group:
        for error in group.exceptions:
            print(error)
    except* (ValueError, KeyError):
        pass
